/** The answer of `/v3/search`. Keys beyond the contract give the place of a chunk. */

import type { Explained } from "../../../core/search/explanation/explain.ts";
import type { FoundDocument } from "../../../core/search/search-documents.ts";
import { toExplanation, toScoreParts } from "../answers/explanation.ts";
import type { ContentOf } from "../answers/long-answer.ts";
import { roundScore } from "../answers/score.ts";
import type { DocumentSearchRequest } from "./search-request.ts";

export function toDocumentResults(
	found: readonly FoundDocument[],
	timingMs: number,
	{ includeSummary }: DocumentSearchRequest,
	contentOf: ContentOf | null,
	explained: Explained<FoundDocument> | null = null,
) {
	const partsOf = (id: string) => (explained === null ? {} : { scoreParts: toScoreParts(explained.partsOf(id)) });
	return {
		results: found.map(({ document, score, chunks }) => ({
			...partsOf(chunks[0]?.chunk.id ?? ""),
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
				...(isRelevant ? partsOf(chunk.id) : {}),
			})),
			metadata: document.metadata,
			createdAt: document.createdAt.toISOString(),
			updatedAt: document.updatedAt.toISOString(),
			...(includeSummary ? { summary: document.findings.summary } : {}),
			...(contentOf === null ? {} : { content: contentOf(document) }),
		})),
		timing: timingMs,
		total: found.length,
		...(explained === null ? {} : { explanation: toExplanation(explained) }),
	};
}
