/** What is brought in from elsewhere, as the wire API takes it. Each has a name that stays the same, so that it is brought in once. */

export type Plain = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface Conversation {
	readonly kind: "conversation";
	/** The `conversationId`. */
	readonly name: string;
	readonly title: string | null;
	readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
	readonly metadata: Plain;
}

export interface TextDocument {
	readonly kind: "document";
	/** The `customId`. */
	readonly name: string;
	readonly title: string | null;
	readonly content: string;
	readonly metadata: Plain;
	/** Where the source says it belongs; null where it says nothing. */
	readonly container: string | null;
}

export interface FileDocument {
	readonly kind: "file";
	/** The `customId`. */
	readonly name: string;
	readonly path: string;
	readonly filepath: string;
	readonly metadata: Plain;
}

export interface WrittenMemory {
	readonly kind: "memory";
	/** Kept as `importedFrom` in its metadata, by which it is recognised. */
	readonly name: string;
	readonly content: string;
	readonly metadata: Plain;
	readonly container: string | null;
	/** When it was said, and when what it tells began; ISO 8601. */
	readonly saidAt: string | null;
	readonly happenedAt: string | null;
	/** When it stopped being so. */
	readonly endedAt: string | null;
}

export type Item = Conversation | TextDocument | FileDocument | WrittenMemory;

/** Reads everything in a file or folder. @throws ServiceError `IMPORT_UNKNOWN` for what is something else */
export type Source = (path: string) => Promise<readonly Item[]>;
