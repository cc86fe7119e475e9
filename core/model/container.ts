/** A container: a named group of documents and memories in an organisation, with a profile of its own. */

/** Where a document goes when the client names no container. */
export const defaultContainerTag = "sm_project_default";

export interface Container {
	readonly tag: string;
	/** What people call it; null means by its tag. */
	readonly name: string | null;
	/** What it is about, kept up to date from its documents. */
	readonly description: string | null;
	/** Who or what its documents are about. Memory extractors are given it. */
	readonly entityContext: string | null;
	/** Paths whose documents yield memories; null means all. What lies elsewhere is only searched. */
	readonly memoryFilesystemPaths: readonly string[] | null;
	/** Added to the organisation's own. */
	readonly profileBuckets: readonly ProfileBucket[];
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/** A named part of a profile, and what belongs into it. */
export interface ProfileBucket {
	readonly key: string;
	readonly description: string;
}

export interface ContainerCounts {
	readonly documents: number;
	/** The latest ones that are not forgotten. */
	readonly memories: number;
	/** When the newest of either was changed; null when there is none. */
	readonly lastActivityAt: Date | null;
}
