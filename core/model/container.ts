/** A container: a named group of documents and memories in an organisation, with a profile of its own. */

/** Where a document goes when the client names no container. */
export const defaultContainerTag = "sm_project_default";

/** Whether two lists name the same containers, in whatever order. */
export function hasSameTags(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((tag) => b.includes(tag));
}

export interface Container {
	readonly tag: string;
	/** The name for people; null if it has only its tag. */
	readonly name: string | null;
	/** Shown beside the name; null if it has none. */
	readonly emoji: string | null;
	/** What it is about, kept up to date from its documents. */
	readonly description: string | null;
	/** Who or what its documents are about, in a client's words. Memory extractors get this text. */
	readonly entityContext: string | null;
	/** Memories are extracted from the documents under these paths; null for all paths. Other documents are only searched. */
	readonly memoryFilesystemPaths: readonly string[] | null;
	/** The container's buckets, in addition to those of the organisation. */
	readonly profileBuckets: readonly ProfileBucket[];
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/** A named part of a profile, with a description of what belongs in it. */
export interface ProfileBucket {
	readonly key: string;
	readonly description: string;
}

export interface ContainerCounts {
	readonly documents: number;
	/** The memories that are the latest version and not forgotten. */
	readonly memories: number;
	/** When a document or memory was last changed; null if there is none. */
	readonly lastActivityAt: Date | null;
}
