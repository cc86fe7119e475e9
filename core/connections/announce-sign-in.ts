/** What follows when somebody has signed in: the event log is told, and the first sync starts. Nothing follows what was dropped. */

import type { OrganisationId } from "../model/id.ts";
import type { AuditEventType, LogEvent } from "../ports/event-log.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { newJob } from "../runtime/new-job.ts";
import type { Connection } from "./connection.ts";
import type { Stored } from "./create-connection.ts";

export async function announceSignIn(organisation: OrganisationId, { connection, outcome }: Stored, storage: Storage, world: World): Promise<void> {
	if (outcome === "dropped") return;
	const type = outcome === "created" ? "connection.created" : "connection.changed";
	await storage.organisation(organisation).events.append(connectionEvent(type, connection, connection.by, {}, world));
	await storage.jobs.add(newJob("sync", connection.id, organisation, world));
}

export function connectionEvent(type: AuditEventType, connection: Connection, by: string, facts: LogEvent["facts"], world: Pick<World, "now">) {
	const { id, provider, containerTags } = connection;
	return { type, at: world.now(), subject: id, containerTags, facts: { by, provider, ...facts } };
}
