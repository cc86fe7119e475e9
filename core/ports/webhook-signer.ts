/** Creates the secrets of webhooks and signs messages with them. Core stores them encrypted; a client sees each secret once, in plain text. */

export interface WebhookSigner {
	/** Creates a secret: in plain text, and encrypted so that it can be decrypted for this webhook only. */
	readonly makeSecret: (webhook: string) => { readonly shown: string; readonly sealed: string };
	/** The signature in the format of Standard Webhooks: `v1,` and the signature. Null if the secret cannot be decrypted, since the server's key was lost. */
	readonly sign: (sealed: string, webhook: string, message: SignedMessage) => string | null;
}

export interface SignedMessage {
	readonly id: string;
	/** Seconds since 1970. */
	readonly timestamp: number;
	readonly body: string;
}
