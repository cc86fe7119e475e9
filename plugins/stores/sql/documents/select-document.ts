/** The statements that read documents: whole, with both their texts, with those that are short, or without. */

import { documents } from "../schema.ts";
import { columnList } from "../table-rows.ts";

export const selectDocument = `SELECT ${columnList(documents, "d")}, x.content AS contentText, x.found AS foundText
	FROM documents d LEFT JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id`;

/** Read with a document that is shown. Of a longer text the length is looked up and nothing else: it lies on pages of its own. */
export const shortTextBytes = 64 * 1_024;

const short = (column: string) => `CASE WHEN octet_length(x.${column}) > ${shortTextBytes} THEN NULL ELSE x.${column} END`;

export const selectShown = `SELECT ${columnList(documents, "d")}, ${short("content")} AS contentText, ${short("found")} AS foundText,
	coalesce(max(octet_length(x.content), octet_length(x.found)), octet_length(x.content), octet_length(x.found)) > ${shortTextBytes} AS isLong
	FROM documents d LEFT JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id`;

export const selectWithoutTexts = `SELECT ${columnList(documents, "d")}, NULL AS contentText, NULL AS foundText FROM documents d`;
