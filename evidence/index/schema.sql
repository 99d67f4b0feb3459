-- The index of a corpus. FTS5's tokenizer leaves written terms whole: everything beyond ASCII belongs to a word.
PRAGMA page_size = 8192;
PRAGMA journal_mode = WAL;
CREATE TABLE manifest (one INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY, live INTEGER NOT NULL, first INTEGER NOT NULL, digest BLOB NOT NULL,
    doc_id TEXT NOT NULL, stored_hash TEXT NOT NULL, sha256 TEXT NOT NULL, title TEXT NOT NULL, url TEXT,
    publisher TEXT, published TEXT, retrieved TEXT, lead TEXT NOT NULL, host TEXT NOT NULL,
    publisher_key TEXT NOT NULL, rows INTEGER NOT NULL, words INTEGER NOT NULL
) STRICT;
CREATE INDEX by_id ON documents (live, doc_id);
CREATE TABLE packed (document INTEGER PRIMARY KEY, lengths BLOB NOT NULL, codes BLOB NOT NULL) STRICT;
CREATE TABLE spans (
    row INTEGER PRIMARY KEY, document INTEGER NOT NULL, chunk INTEGER NOT NULL, n INTEGER NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL, section TEXT NOT NULL,
    context TEXT NOT NULL, frame TEXT NOT NULL, key BLOB NOT NULL
) STRICT;
CREATE TABLE vectors (row INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE terms USING fts5(words, detail=none, columnsize=0, tokenize="ascii tokenchars '.,=_'");
