/** Metadata: a client's attributes of a document or memory, used for filtering. It is a flat object with four types of value. */

export type MetadataValue = string | number | boolean | readonly string[];
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** Keys that the client sent replace the old ones; other keys stay. */
export function mergeMetadata(old: Metadata, sent: Metadata): Metadata {
	return { ...old, ...sent };
}
