-- What PostgreSQL needs besides the tables of store/tables.py: triggers that keep the history append-only, the word
-- index. One statement to a paragraph.
-- ALWAYS: also in sessions that set session_replication_role. The functions name tables with their schema, so that no
-- temporary table can stand in for one.
CREATE FUNCTION factdesk_refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END
$body$

CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger
FOR EACH ROW EXECUTE FUNCTION factdesk_refuse('the history is append-only')

ALTER TABLE ledger ENABLE ALWAYS TRIGGER ledger_no_update

CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger
FOR EACH ROW EXECUTE FUNCTION factdesk_refuse('the history is append-only')

ALTER TABLE ledger ENABLE ALWAYS TRIGGER ledger_no_delete

CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger
FOR EACH STATEMENT EXECUTE FUNCTION factdesk_refuse('the history is append-only')

ALTER TABLE ledger ENABLE ALWAYS TRIGGER ledger_no_truncate

CREATE TRIGGER ledger_link_no_update BEFORE UPDATE ON ledger_link
FOR EACH ROW EXECUTE FUNCTION factdesk_refuse('the history is append-only')

ALTER TABLE ledger_link ENABLE ALWAYS TRIGGER ledger_link_no_update

CREATE TRIGGER ledger_link_no_delete BEFORE DELETE ON ledger_link
FOR EACH ROW EXECUTE FUNCTION factdesk_refuse('the history is append-only')

ALTER TABLE ledger_link ENABLE ALWAYS TRIGGER ledger_link_no_delete

CREATE TRIGGER ledger_link_no_truncate BEFORE TRUNCATE ON ledger_link
FOR EACH STATEMENT EXECUTE FUNCTION factdesk_refuse('the history is append-only')

ALTER TABLE ledger_link ENABLE ALWAYS TRIGGER ledger_link_no_truncate

CREATE TRIGGER ledger_head_no_delete BEFORE DELETE ON ledger_head
FOR EACH ROW EXECUTE FUNCTION factdesk_refuse('the history is append-only')

ALTER TABLE ledger_head ENABLE ALWAYS TRIGGER ledger_head_no_delete

CREATE TRIGGER ledger_head_no_truncate BEFORE TRUNCATE ON ledger_head
FOR EACH STATEMENT EXECUTE FUNCTION factdesk_refuse('the history is append-only')

ALTER TABLE ledger_head ENABLE ALWAYS TRIGGER ledger_head_no_truncate

CREATE TRIGGER snapshot_no_update BEFORE UPDATE ON snapshot
FOR EACH ROW EXECUTE FUNCTION factdesk_refuse('snapshots are never changed')

ALTER TABLE snapshot ENABLE ALWAYS TRIGGER snapshot_no_update

CREATE FUNCTION factdesk_ledger_next_only() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE last RECORD; taken BOOLEAN; BEGIN
    EXECUTE format('SELECT sequence, envelope_sha256 FROM %I.%I ORDER BY sequence DESC LIMIT 1',
        TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO last;
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I.%I WHERE certificate_id = $1)',
        TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO taken USING NEW.certificate_id;
    IF taken OR NEW.sequence IS DISTINCT FROM COALESCE(last.sequence, 0) + 1
        OR NEW.previous_sha256 IS DISTINCT FROM last.envelope_sha256 THEN
        RAISE EXCEPTION 'the history is append-only: not the next certificate'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$body$

CREATE TRIGGER ledger_next_only BEFORE INSERT ON ledger
FOR EACH ROW EXECUTE FUNCTION factdesk_ledger_next_only()

ALTER TABLE ledger ENABLE ALWAYS TRIGGER ledger_next_only

CREATE FUNCTION factdesk_ledger_head_forward() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE last INTEGER; others BIGINT; BEGIN
    EXECUTE format('SELECT MAX(sequence) FROM %I.ledger', TG_TABLE_SCHEMA) INTO last;
    EXECUTE format('SELECT COUNT(*) FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO others;
    IF TG_OP = 'INSERT' AND (others > 0 OR NEW.sequence IS DISTINCT FROM last) THEN
        RAISE EXCEPTION 'the history is append-only: there is a head'
            USING ERRCODE = 'integrity_constraint_violation';
    ELSIF TG_OP = 'UPDATE' AND (NEW.sequence <= OLD.sequence OR NEW.sequence IS DISTINCT FROM last) THEN
        RAISE EXCEPTION 'the history is append-only: the head only moves forward'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$body$

CREATE TRIGGER ledger_head_forward BEFORE INSERT OR UPDATE ON ledger_head
FOR EACH ROW EXECUTE FUNCTION factdesk_ledger_head_forward()

ALTER TABLE ledger_head ENABLE ALWAYS TRIGGER ledger_head_forward

CREATE FUNCTION factdesk_image_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    EXECUTE format('UPDATE %I.known_image_change SET revision = revision + 1', TG_TABLE_SCHEMA);
    RETURN NULL;
END
$body$

CREATE TRIGGER known_image_after AFTER INSERT OR DELETE OR UPDATE OF hashes, features ON known_image
FOR EACH ROW EXECUTE FUNCTION factdesk_image_changed()

CREATE TABLE ledger_words (
    sequence INTEGER NOT NULL PRIMARY KEY REFERENCES ledger (sequence), words TSVECTOR NOT NULL)

CREATE INDEX ledger_words_gin ON ledger_words USING gin (words)
