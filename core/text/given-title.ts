/** The title that a user or a source gave a document, which is shown in place of its own. */

import { limits } from "../model/limits.ts";
import type { Metadata } from "../model/metadata.ts";
import { shorten } from "./cut-text.ts";

export function givenTitle({ title }: Metadata): string | null {
	return typeof title === "string" && title !== "" ? shorten(title, limits.titleCharactersMax) : null;
}
