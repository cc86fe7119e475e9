/** Writes of the container store, and how a container comes to be by itself. */

import type { Container, ContainerChange, OrganisationId } from "cairn-memory";
import { and, eq } from "drizzle-orm";
import type { Connection } from "../sqlite/connection.ts";
import { durable, repeatable } from "./operation.ts";
import { containers } from "./schema.ts";

export interface ContainerName {
	readonly organisation: OrganisationId;
	readonly tag: string;
}

/** Makes what is missing of these containers. */
export function containerOpener({ statement }: Connection): (organisation: OrganisationId, tags: readonly string[], now: Date) => void {
	return (organisation, tags, now) => {
		for (const tag of tags)
			statement("INSERT OR IGNORE INTO containers (organisation, tag, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)").run(organisation, tag, now.getTime());
	};
}

export function containerOperations(connection: Connection) {
	const { orm } = connection;
	const open = containerOpener(connection);
	const named = ({ organisation, tag }: ContainerName) => and(eq(containers.organisation, organisation), eq(containers.tag, tag));
	return {
		changeContainer: durable(({ change, now, ...name }: ContainerName & { change: ContainerChange; now: Date }): Container | null => {
			open(name.organisation, [name.tag], now);
			const [changed] = orm
				.update(containers)
				.set({ ...change, updatedAt: now })
				.where(named(name))
				.returning()
				.all();
			return changed === undefined ? null : containerOf(changed);
		}),

		describeContainer: repeatable(
			({ description, ...name }: ContainerName & { description: string }): boolean =>
				orm.update(containers).set({ description }).where(named(name)).returning({ tag: containers.tag }).all().length > 0,
		),

		removeContainer: durable((name: ContainerName): boolean => orm.delete(containers).where(named(name)).returning({ tag: containers.tag }).all().length > 0),
	};
}

export function containerOf({ organisation: _, ...container }: typeof containers.$inferSelect): Container {
	return container;
}
