/** Free attributes of a document or memory, used for filtering: flat, with four kinds of value. */

export type MetadataValue = string | number | boolean | readonly string[];
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** Sent keys replace those keys, other keys stay. */
export function mergeMetadata(old: Metadata, sent: Metadata): Metadata {
	return { ...old, ...sent };
}
