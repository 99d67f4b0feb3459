-- What SQLite needs besides the tables of store/tables.py: triggers that keep the history append-only, the word
-- index. One statement to a paragraph.
-- INSERT OR REPLACE deletes without firing delete triggers: whatever is not the next link is refused.
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END

CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END

CREATE TRIGGER ledger_link_no_update BEFORE UPDATE ON ledger_link
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END

CREATE TRIGGER ledger_link_no_delete BEFORE DELETE ON ledger_link
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END

CREATE TRIGGER ledger_head_no_delete BEFORE DELETE ON ledger_head
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END

CREATE TRIGGER snapshot_no_update BEFORE UPDATE ON snapshot
BEGIN SELECT RAISE(ABORT, 'snapshots are never changed'); END

CREATE TRIGGER ledger_next_only BEFORE INSERT ON ledger
WHEN NEW.sequence IS NOT (SELECT COALESCE(MAX(sequence), 0) + 1 FROM ledger)
    OR NEW.previous_sha256 IS NOT (SELECT envelope_sha256 FROM ledger ORDER BY sequence DESC LIMIT 1)
    OR EXISTS (SELECT 1 FROM ledger WHERE certificate_id = NEW.certificate_id)
BEGIN SELECT RAISE(ABORT, 'the history is append-only: not the next certificate'); END

CREATE TRIGGER ledger_link_once BEFORE INSERT ON ledger_link
WHEN EXISTS (SELECT 1 FROM ledger_link WHERE sequence = NEW.sequence)
BEGIN SELECT RAISE(ABORT, 'the history is append-only: the link is there already'); END

CREATE TRIGGER ledger_head_once BEFORE INSERT ON ledger_head
WHEN EXISTS (SELECT 1 FROM ledger_head) OR NEW.sequence IS NOT (SELECT MAX(sequence) FROM ledger)
BEGIN SELECT RAISE(ABORT, 'the history is append-only: there is a head'); END

CREATE TRIGGER ledger_head_forward BEFORE UPDATE ON ledger_head
WHEN NEW.sequence <= OLD.sequence OR NEW.sequence IS NOT (SELECT MAX(sequence) FROM ledger)
BEGIN SELECT RAISE(ABORT, 'the history is append-only: the head only moves forward'); END

CREATE TRIGGER known_image_after_insert AFTER INSERT ON known_image
BEGIN UPDATE known_image_change SET revision = revision + 1; END

CREATE TRIGGER known_image_after_delete AFTER DELETE ON known_image
BEGIN UPDATE known_image_change SET revision = revision + 1; END

CREATE TRIGGER known_image_after_update AFTER UPDATE OF hashes, features ON known_image
BEGIN UPDATE known_image_change SET revision = revision + 1; END

CREATE VIRTUAL TABLE ledger_words USING fts5(
    claim, evidence, content='', tokenize="unicode61 remove_diacritics 2")
