/** The statement that reads whole documents, with both their long texts. */

import { documents } from "./schema.ts";
import { columnList } from "./table-rows.ts";

export const selectDocument = `SELECT ${columnList(documents, "d")}, x.content AS contentText, x.found AS foundText
	FROM documents d LEFT JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id`;
