/** Encrypts secrets that are needed again, such as the keys of connections. A copy of the database alone reveals none of them. */

export interface Vault {
	/** Decrypts for the same purpose only, so that a secret for one thing cannot be used for another. */
	readonly seal: (text: string, purpose: string) => string;
	/** Null when it was sealed with another key, for another purpose, or not at all. */
	readonly open: (sealed: string, purpose: string) => string | null;
}
