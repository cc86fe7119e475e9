/** Encrypts secrets that must be readable later, such as the keys of connections. A copy of the database alone does not reveal them. */

export interface Vault {
	/** Encrypts a text. It can be decrypted for the same purpose only, so that a secret cannot be used for something else. */
	readonly seal: (text: string, purpose: string) => string;
	/** Decrypts; null if the text was encrypted with another key, for another purpose, or not at all. */
	readonly open: (sealed: string, purpose: string) => string | null;
}
