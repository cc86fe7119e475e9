/** Which memory extractors are at work, in which versions: by this a document knows whether its memories are of today's. */

import type { MemoryExtractor } from "../plugin/contract.ts";

export function extractorIdentity(extractors: readonly Pick<MemoryExtractor, "name" | "version">[]): string {
	return extractors.map(({ name, version }) => (version === undefined ? name : `${name}@${version}`)).join(" ");
}
