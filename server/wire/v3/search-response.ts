/** What `/v3/search` answers. Extra keys beside the contract's tell where a chunk stands. */

import { readableText } from "../../../core/model/document.ts";
import type { FoundDocument } from "../../../core/search/search-documents.ts";
import { roundScore } from "../score.ts";
import type { DocumentSearchRequest } from "./search-request.ts";

export function toDocumentResults(found: readonly FoundDocument[], timingMs: number, { includeContent, includeSummary }: DocumentSearchRequest) {
	return {
		results: found.map(({ document, score, chunks }) => ({
			documentId: document.id,
			customId: document.customId,
			title: document.findings.title,
			type: document.findings.type,
			score: roundScore(score),
			chunks: chunks.map(({ chunk, score: chunkScore, isRelevant }) => ({
				content: chunk.text,
				score: roundScore(chunkScore),
				isRelevant,
				position: chunk.position,
				place: chunk.place,
			})),
			metadata: document.metadata,
			createdAt: document.createdAt.toISOString(),
			updatedAt: document.updatedAt.toISOString(),
			...(includeSummary ? { summary: document.findings.summary } : {}),
			...(includeContent ? { content: readableText(document) } : {}),
		})),
		timing: timingMs,
		total: found.length,
	};
}
