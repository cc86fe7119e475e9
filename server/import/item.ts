/** Items imported from other programs, in the form of the HTTP API. Each has a stable name, so that it is imported only once. */

export type FlatMetadata = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface ConversationItem {
	readonly kind: "conversation";
	/** The `conversationId`. */
	readonly name: string;
	readonly title: string | null;
	readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
	readonly metadata: FlatMetadata;
}

export interface TextItem {
	readonly kind: "document";
	/** The `customId`. */
	readonly name: string;
	readonly title: string | null;
	readonly content: string;
	readonly metadata: FlatMetadata;
	/** The containers that the source names. */
	readonly containers: readonly string[];
}

export interface FileItem {
	readonly kind: "file";
	/** The `customId`. */
	readonly name: string;
	readonly path: string;
	readonly filepath: string;
	readonly metadata: FlatMetadata;
}

export interface MemoryItem {
	readonly kind: "memory";
	/** Stored as `importedFrom` in the metadata, by which a repeated import recognises the memory. */
	readonly name: string;
	readonly content: string;
	readonly metadata: FlatMetadata;
	readonly container: string | null;
	/** When it was said, in ISO 8601. */
	readonly saidAt: string | null;
	/** When the fact became true, in ISO 8601. */
	readonly happenedAt: string | null;
	/** When the fact stopped being true, in ISO 8601. */
	readonly endedAt: string | null;
}

export type Item = ConversationItem | TextItem | FileItem | MemoryItem;

/** Reads all items in a file or folder. @throws ServiceError `IMPORT_UNKNOWN` if it is not in the program's format */
export type ItemReader = (path: string) => Promise<readonly Item[]>;
