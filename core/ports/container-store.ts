/** Containers: their names, descriptions and settings. Everything is of one organisation. */

import type { Container, ContainerCounts } from "../model/container.ts";

export type ContainerChange = Partial<Omit<Container, "tag" | "createdAt" | "updatedAt">>;

export interface CountedContainer {
	readonly container: Container;
	readonly counts: ContainerCounts;
}

/** A container is there from the first document or memory that names it, made in the same transaction, until it is removed. */
export interface ContainerStore {
	/** All, oldest first. */
	readonly list: () => Promise<readonly CountedContainer[]>;
	readonly get: (tag: string) => Promise<Container | null>;
	/** Makes it where it is missing. */
	readonly change: (tag: string, change: ContainerChange, now: Date) => Promise<Container>;
	/** Stores its description, if the container exists. It is no change by a client, so `updatedAt` stays. @returns whether it exists. */
	readonly describe: (tag: string, description: string) => Promise<boolean>;
	/** Removes its description and settings, not its documents. @returns whether it existed. */
	readonly remove: (tag: string) => Promise<boolean>;
}
