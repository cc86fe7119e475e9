/** Connectors: they read external services, whose items become documents and stay in sync. */

import type { Json } from "../../model/json.ts";
import type { MediaType } from "../../model/media-type.ts";
import type { Metadata } from "../../model/metadata.ts";
import type { Step } from "./step.ts";

/** The configuration of a connection, as `configure` returned it; JSON. */
export type ConnectorConfig = { readonly [key: string]: Json };

/** The position of a sync: JSON of the connector's choice, at most `limits.cursorBytesMax` long. */
export type Cursor = { readonly [key: string]: Json };

/** An item of the service, which becomes a document. */
export interface ConnectorItem {
	/**
	 * The item's permanent key, unique within the connection, at most `limits.connectorKeyCharactersMax` long. It becomes part of the
	 * document's `customId`.
	 */
	readonly key: string;
	readonly content: ItemContent;
	/** The title that the service states; null if a title read from the content is more reliable. */
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
			/** The character set that the service states; null if it states none. */
			readonly charset: string | null;
			/** The URL it was fetched from, against which relative links are resolved; null if it has no public URL. */
			readonly address: string | null;
	  };

/**
 * One change in a sync. `cursor` returns the cursor to store once the change is made; it is called before the next change is requested,
 * and its result must not be modified later. The cursor of a `checkpoint` is always stored, so it can announce the next changes. Other
 * cursors may be skipped: after a crash the connector then reports the same changes again, with the same keys.
 */
export type Change =
	| { readonly kind: "put"; readonly item: ConnectorItem; readonly cursor: () => Cursor }
	/** The item was deleted from the service. It may never have been reported as a `put`. */
	| { readonly kind: "remove"; readonly key: string; readonly cursor: () => Cursor }
	| { readonly kind: "checkpoint"; readonly cursor: () => Cursor };

/** The resources of a service that a client can choose from. */
export interface ConnectorResources {
	/** @returns one page, and the total number of resources; null if the service does not state it. */
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

/** What a sign-in has given. It is encrypted wherever it is stored, and never returned to clients or logged. */
export type Credentials = {
	readonly accessToken: string;
	/** When the access token expires, in ISO 8601; null if the service does not state it. */
	readonly expiresAt: string | null;
	/** Null if the sign-in ends with its access token. */
	readonly refreshToken: string | null;
	/** Present if somebody signed in with a code at another device: a service may want such tokens to be refreshed in another way. */
	readonly isOfDevice?: true;
};

export type Gave = (credentials: Credentials) => void;

/** One sign-in, from the link to the callback. */
export interface SignInAttempt {
	/** The URL of this server to which the service sends the browser back. */
	readonly redirectUri: string;
	readonly state: string;
	/** The PKCE code verifier. */
	readonly verifier: string;
	/** The address of the account that is expected to sign in again; null for any. */
	readonly accountHint: string | null;
}

export interface SignedIn {
	readonly credentials: Credentials;
	/** `id` never changes; `address`, mostly an e-mail address, is shown to clients. */
	readonly account: { readonly id: string; readonly address: string };
}

/** A code that a person types in at another device, as in RFC 8628. It is encrypted where it is stored. */
export type DeviceCode = {
	readonly deviceCode: string;
	/** What the person types in. */
	readonly userCode: string;
	/** The page where; with the code in it, if the service offers that. */
	readonly link: string;
	/** How often the service may be asked whether somebody has signed in. */
	readonly intervalMs: number;
	readonly lifeMs: number;
};

export interface DeviceSignIn {
	readonly begin: (step: Step) => Promise<DeviceCode>;
	/**
	 * Asks once. `slower` if the service wants to be asked less often from now on. A code is good for one answer: nothing may fail behind it.
	 * @param gave as in `finish`
	 * @throws ServiceError `SIGN_IN_REFUSED` if the person or the service refuses, or the code has expired.
	 */
	readonly poll: (code: DeviceCode, step: Step, gave?: Gave) => Promise<Credentials | "pending" | "slower">;
	/** Who has signed in. It may be asked again after a fault. */
	readonly account: (credentials: Credentials, step: Step) => Promise<SignedIn["account"]>;
}

/** Sign-in by OAuth 2.0. Core stores the credentials and decides when they are refreshed; the connector speaks to the service. */
export interface ConnectorSignIn {
	/**
	 * The issuer, where several connectors may send people to the same service: revoking what an account has given to one of them may end
	 * the others.
	 */
	readonly authority?: string;
	/** Whether a connection with this configuration needs a sign-in; without it every one does. Others have keys of their own, and are checked with them. */
	readonly isNeeded?: (config: ConnectorConfig) => boolean;
	/** Sign-in without a way back for the browser; absent if the service has none. */
	readonly device?: DeviceSignIn;
	/** The URL where a person signs in. */
	readonly begin: (attempt: SignInAttempt) => Promise<string>;
	/**
	 * Exchanges the code for credentials.
	 * @param callback the query with which the browser came back.
	 * @param gave is told of the credentials as soon as the service has given them: if the sign-in is refused after that, they are revoked.
	 * @throws ServiceError `SIGN_IN_REFUSED` if the person or the service refuses.
	 */
	readonly finish: (attempt: SignInAttempt, callback: URLSearchParams, step: Step, gave?: Gave) => Promise<SignedIn>;
	/** @throws ServiceError `CONNECTION_UNAUTHORIZED` if the sign-in was revoked or has expired. */
	readonly refresh: (credentials: Credentials, step: Step) => Promise<Credentials>;
	/** Ends the sign-in at the service. */
	readonly revoke: (credentials: Credentials, step: Step) => Promise<void>;
	/** Ends only these credentials, where `revoke` ends all that the account has allowed; it is used for a sign-in that is refused. */
	readonly revokeToken?: (credentials: Credentials, step: Step) => Promise<void>;
}

/** Reads an external service and reports changes. */
export interface Connector {
	/** The provider's name in the URL of the API, as in `/v3/connections/web-crawler`. */
	readonly name: string;
	/** Keys of the metadata whose values are never returned to clients, logged or copied to a document. */
	readonly secrets: readonly string[];
	/** How long after a sync the next one is due. */
	readonly syncEveryMs: number;
	/** True for what reads the server's own machine: where there are several organisations, only an operator may connect it. */
	readonly readsServer?: boolean;
	/**
	 * Validates the client's metadata and returns the complete configuration for `sync`. It is idempotent. Unknown keys are left out, since
	 * they are attributes of the client.
	 * @param documentsMax the most documents that the connection may have at any time.
	 * @throws ServiceError of kind `invalid` that names the key.
	 */
	readonly configure: (metadata: Readonly<Record<string, unknown>>, documentsMax: number) => ConnectorConfig;
	/** Absent if the service needs no sign-in in a browser. With it, every `Step` has an `accessToken`. */
	readonly signIn?: ConnectorSignIn;
	/** Checks access to the service when a connection is created, but not before a sign-in. @throws ServiceError with the reason for a refusal. */
	readonly check?: (config: ConnectorConfig, step: Step) => Promise<void>;
	/** Lists the resources of a service from which a client chooses, such as repositories, and limits the configuration to the chosen ones. */
	readonly resources?: ConnectorResources;
	/**
	 * All changes since the cursor; all items if it is null or unreadable. If it is stopped at any point and restarted with the last stored
	 * cursor, it must neither lose nor duplicate anything. Changes to items that it has already passed may be left to the next sync.
	 * @throws ServiceError. After a temporary error the documents stay as they are.
	 */
	readonly sync: (config: ConnectorConfig, cursor: Cursor | null, step: Step) => AsyncIterable<Change>;
}
