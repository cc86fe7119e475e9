/** The names and versions of the memory extractors in use. It is stored with documents, to find those whose memories are from others. */

import type { MemoryExtractor } from "../plugin/contract.ts";

export function extractorIdentity(extractors: readonly Pick<MemoryExtractor, "name" | "version">[]): string {
	return extractors.map(({ name, version }) => (version === undefined ? name : `${name}@${version}`)).join(" ");
}
