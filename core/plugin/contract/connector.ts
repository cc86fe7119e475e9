/** Connectors: they read services outside, whose items become documents and stay in sync. */

import type { Json } from "../../model/json.ts";
import type { MediaType } from "../../model/media-type.ts";
import type { Metadata } from "../../model/metadata.ts";
import type { Step } from "./step.ts";

/** What a client says about a connection, or what `configure` made of it: both can be kept as JSON. */
export type ConnectorConfig = { readonly [key: string]: Json };

/** Where a sync stands: JSON of the connector's own making, at most `limits.cursorBytesMax` long. */
export type Cursor = { readonly [key: string]: Json };

/** One thing of the far side that becomes a document. */
export interface ConnectorItem {
	/** Its name for good, unique within the connection, at most `limits.connectorKeyCharactersMax` long: the document's `customId` is made of it. */
	readonly key: string;
	readonly content: ItemContent;
	/** The type that the service states; null where reading the content is more reliable. */
	readonly title: string | null;
	readonly metadata: Metadata;
	/** Where it goes instead of the connection's container; null for there. */
	readonly containerTag: string | null;
}

export type ItemContent =
	| { readonly kind: "text"; readonly text: string; readonly mediaType: MediaType }
	| { readonly kind: "address"; readonly url: string }
	| {
			readonly kind: "file";
			readonly bytes: Uint8Array;
			readonly fileName: string | null;
			readonly claimedMediaType: MediaType | null;
			/** The character set that came with it; null when none was named. */
			readonly charset: string | null;
			/** Where it was fetched, for links that are relative to it; null when it has no public address. */
			readonly address: string | null;
	  };

/**
 * One step of a sync. `cursor` makes the cursor to keep once the step is done; it is asked for before the next step is, and
 * answers a value that changes no more. The cursor of a `checkpoint` is always kept, so it names what comes next before it
 * comes. Those of the others may be left out: then, after a kill, the same changes come again under the same keys.
 */
export type Change =
	| { readonly kind: "put"; readonly item: ConnectorItem; readonly cursor: () => Cursor }
	/** Gone from the service. It may never have been put here; then there is nothing to remove. */
	| { readonly kind: "remove"; readonly key: string; readonly cursor: () => Cursor }
	| { readonly kind: "checkpoint"; readonly cursor: () => Cursor };

/** What a client may choose among, as the service outside describes it. */
export interface ConnectorResources {
	/** @returns one page, and how many there are in all; null when the service does not say. */
	readonly list: (
		config: ConnectorConfig,
		page: ResourcePage,
		step: Step,
	) => Promise<{ readonly resources: readonly Resource[]; readonly total: number | null }>;
	/** The same configuration with nothing chosen but these. @throws ServiceError of kind `invalid` */
	readonly choose: (config: ConnectorConfig, chosen: readonly Resource[]) => ConnectorConfig;
}

export type Resource = { readonly [key: string]: Json };

export interface ResourcePage {
	/** From 1. */
	readonly page: number;
	readonly perPage: number;
	/** Those inside this one; null for the outermost. */
	readonly parent: string | null;
}

/** Reads a service outside and reports what has changed there. */
export interface Connector {
	/** The provider's name in the address, as in `/v3/connections/web-crawler`. */
	readonly name: string;
	/** Keys of the metadata that are never shown, logged, or copied to a document. */
	readonly secrets: readonly string[];
	/** How long after one sync the next is due. */
	readonly syncEveryMs: number;
	/**
	 * What the client sent → what `sync` needs, complete and checked; given its own answer it answers the same. Keys it does not
	 * know are left out: they are the client's own attributes.
	 * @param documentsMax the most documents that the connection may have at any time.
	 * @throws ServiceError of kind `invalid` that names the key.
	 */
	readonly configure: (metadata: Readonly<Record<string, unknown>>, documentsMax: number) => ConnectorConfig;
	/** Asks the far side once whether it lets us in, when a connection is made. @throws ServiceError that says why not. */
	readonly check?: (config: ConnectorConfig, step: Step) => Promise<void>;
	/** For services with something to choose from, such as repositories: lists the choices, and applies one to the configuration. */
	readonly resources?: ConnectorResources;
	/**
	 * All changes since the cursor; without one, all there is. Killed anywhere and begun again with the last cursor kept, it
	 * loses nothing and doubles nothing; what changes behind the place of the kill may be left to the sync after that. A cursor
	 * it cannot read counts as none.
	 * @throws ServiceError; one that may pass leaves everything as it stands.
	 */
	readonly sync: (config: ConnectorConfig, cursor: Cursor | null, step: Step) => AsyncIterable<Change>;
}
