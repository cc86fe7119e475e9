/** Connectors: they read services outside, whose items become documents and stay in sync. */

import type { Json } from "../../model/json.ts";
import type { MediaType } from "../../model/media-type.ts";
import type { Metadata } from "../../model/metadata.ts";
import type { Step } from "./step.ts";

/** The configuration of a connection, from the client or as `configure` returned it; both are JSON. */
export type ConnectorConfig = { readonly [key: string]: Json };

/** The position of a sync: JSON of the connector's choice, at most `limits.cursorBytesMax` long. */
export type Cursor = { readonly [key: string]: Json };

/** An item of the service, which becomes a document. */
export interface ConnectorItem {
	/** Its permanent name, unique within the connection, at most `limits.connectorKeyCharactersMax` long: the document's `customId` is made of it. */
	readonly key: string;
	readonly content: ItemContent;
	/** The type that the service states; null where reading the content is more reliable. */
	readonly title: string | null;
	readonly metadata: Metadata;
	/** The container to use instead of the connection's; null for the connection's. */
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
 * One step of a sync. `cursor` returns the cursor to store once the step is done; it is called before the next step, and its
 * result must not change later. The cursor of a `checkpoint` is always stored, so that it can name the next step in advance.
 * Other cursors may be skipped: after a crash the same changes then come again under the same keys.
 */
export type Change =
	| { readonly kind: "put"; readonly item: ConnectorItem; readonly cursor: () => Cursor }
	/** Deleted from the service. It may never have been put here. */
	| { readonly kind: "remove"; readonly key: string; readonly cursor: () => Cursor }
	| { readonly kind: "checkpoint"; readonly cursor: () => Cursor };

/** The resources of a service that a client can choose from. */
export interface ConnectorResources {
	/** @returns one page, and how many there are in all; null when the service does not say. */
	readonly list: (
		config: ConnectorConfig,
		page: ResourcePage,
		step: Step,
	) => Promise<{ readonly resources: readonly Resource[]; readonly total: number | null }>;
	/** The configuration limited to these resources. @throws ServiceError of kind `invalid` */
	readonly choose: (config: ConnectorConfig, chosen: readonly Resource[]) => ConnectorConfig;
}

export type Resource = { readonly [key: string]: Json };

export interface ResourcePage {
	/** From 1. */
	readonly page: number;
	readonly perPage: number;
	/** The parent resource; null for the top level. */
	readonly parent: string | null;
}

/** Reads an external service and reports changes. */
export interface Connector {
	/** The provider's name in the address, as in `/v3/connections/web-crawler`. */
	readonly name: string;
	/** Keys of the metadata that are never shown, logged, or copied to a document. */
	readonly secrets: readonly string[];
	/** How long after one sync the next is due. */
	readonly syncEveryMs: number;
	/**
	 * Validates the client's metadata and returns the complete configuration for `sync`. It is idempotent. Unknown keys are left out:
	 * they are the client's own attributes.
	 * @param documentsMax the most documents that the connection may have at any time.
	 * @throws ServiceError of kind `invalid` that names the key.
	 */
	readonly configure: (metadata: Readonly<Record<string, unknown>>, documentsMax: number) => ConnectorConfig;
	/** Checks access to the service when a connection is created. @throws ServiceError with the reason for a refusal. */
	readonly check?: (config: ConnectorConfig, step: Step) => Promise<void>;
	/** For services with something to choose from, such as repositories: lists the choices, and applies one to the configuration. */
	readonly resources?: ConnectorResources;
	/**
	 * All changes since the cursor; without one, all items. Stopped anywhere and restarted with the last stored cursor, it must
	 * neither lose nor duplicate anything; changes before that position may be left to the next sync. An unreadable cursor counts
	 * as none.
	 * @throws ServiceError; after a transient one everything stays as it is.
	 */
	readonly sync: (config: ConnectorConfig, cursor: Cursor | null, step: Step) => AsyncIterable<Change>;
}
