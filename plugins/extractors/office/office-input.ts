/** What the engines of office documents are given. */

export interface OfficeInput {
	readonly bytes: Uint8Array;
}
