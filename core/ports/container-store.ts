/** Containers: their names, descriptions and settings. Everything is of one organisation. */

import type { Container, ContainerCounts } from "../model/container.ts";

export type ContainerChange = Partial<Omit<Container, "tag" | "createdAt" | "updatedAt">>;

export interface CountedContainer {
	readonly container: Container;
	readonly counts: ContainerCounts;
}

/** A container is created in the transaction that writes its first document or memory, and exists until it is removed. */
export interface ContainerStore {
	/** All containers, oldest first. */
	readonly list: () => Promise<readonly CountedContainer[]>;
	readonly get: (tag: string) => Promise<Container | null>;
	/** Changes a container, which is created if it does not exist. */
	readonly change: (tag: string, change: ContainerChange, now: Date) => Promise<Container>;
	/** Stores the description, if the container exists. Since no client changed it, `updatedAt` stays. @returns whether it exists. */
	readonly describe: (tag: string, description: string) => Promise<boolean>;
	/** Removes the container's description and settings, but not its documents. @returns whether it existed. */
	readonly remove: (tag: string) => Promise<boolean>;
}
