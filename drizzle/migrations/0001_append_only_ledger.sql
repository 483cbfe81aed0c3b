-- Money that moved stays moved: a correction is a new transfer, never a change of an old one.
CREATE FUNCTION refuse_change_of_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER transfers_are_append_only BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER transfers_are_never_truncated BEFORE TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER usage_events_are_append_only BEFORE UPDATE OR DELETE ON usage_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_ledger();
--> statement-breakpoint
CREATE TRIGGER usage_events_are_never_truncated BEFORE TRUNCATE ON usage_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();
