/** Makes the secrets of webhooks and signs with them. Core only holds them encrypted; a client sees each once in the clear. */

export interface WebhookSigner {
	/** Sealed for this webhook it opens for no other. */
	readonly makeSecret: (webhook: string) => { readonly shown: string; readonly sealed: string };
	/** As Standard Webhooks says: `v1,` and the signature. Null when the secret cannot be opened: the server's own key was lost. */
	readonly sign: (sealed: string, webhook: string, message: SignedMessage) => string | null;
}

export interface SignedMessage {
	readonly id: string;
	/** Seconds since 1970. */
	readonly timestamp: number;
	readonly body: string;
}
