CREATE TABLE "resource_applications" (
	"resource_id" text NOT NULL,
	"application_id" text NOT NULL,
	"may_ask" boolean NOT NULL,
	"may_introspect" boolean NOT NULL,
	CONSTRAINT "resource_applications_resource_id_application_id_pk" PRIMARY KEY("resource_id","application_id")
);
--> statement-breakpoint
CREATE TABLE "resource_scopes" (
	"resource_id" text NOT NULL,
	"scope" text NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "resource_scopes_resource_id_scope_pk" PRIMARY KEY("resource_id","scope"),
	CONSTRAINT "resource_scopes_form" CHECK ("resource_scopes"."scope" ~ '^[A-Za-z0-9._:/-]{1,64}$' and "resource_scopes"."scope" not in ('openid', 'profile', 'email', 'address', 'phone', 'offline_access')),
	CONSTRAINT "resource_scopes_description" CHECK (char_length("resource_scopes"."description") between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "resources" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"identifier" text NOT NULL,
	"name" text NOT NULL,
	"token_format" text NOT NULL,
	"token_seconds" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "resources_identifier_unique" UNIQUE("identifier"),
	CONSTRAINT "resources_identifier" CHECK ("resources"."identifier" ~ '^https://[^[:space:]#?]+$' and char_length("resources"."identifier") <= 200),
	CONSTRAINT "resources_name_length" CHECK (char_length("resources"."name") between 1 and 100),
	CONSTRAINT "resources_token_format" CHECK ("resources"."token_format" in ('jwt', 'opaque')),
	CONSTRAINT "resources_token_seconds" CHECK ("resources"."token_seconds" between 60 and 3600)
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "is_service" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "resource_applications" ADD CONSTRAINT "resource_applications_resource_id_resources_id_fk" FOREIGN KEY ("resource_id") REFERENCES "public"."resources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_applications" ADD CONSTRAINT "resource_applications_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_scopes" ADD CONSTRAINT "resource_scopes_resource_id_resources_id_fk" FOREIGN KEY ("resource_id") REFERENCES "public"."resources"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resources" ADD CONSTRAINT "resources_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "resource_applications_by_application" ON "resource_applications" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "resources_by_workspace" ON "resources" USING btree ("workspace_id");--> statement-breakpoint
-- An API's tokens are for applications of its own company alone (docs/decisions/1203).
CREATE FUNCTION require_company_of_resource() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM resources JOIN applications USING (workspace_id)
    WHERE resources.id = NEW.resource_id AND applications.id = NEW.application_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is of another company than %', NEW.application_id, NEW.resource_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER resource_applications_are_of_one_company BEFORE INSERT OR UPDATE ON resource_applications
  FOR EACH ROW EXECUTE FUNCTION require_company_of_resource();
