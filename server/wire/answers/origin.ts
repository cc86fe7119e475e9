/** The header `x-sm-source`, in which clients name themselves → metadata of what they add. */

import type { Metadata } from "../../../core/model/metadata.ts";
import { cleanTexts } from "../requests/clean-texts.ts";

const header = "x-sm-source";
const key = "sm_source";
/** A label; a longer value is something else. */
const charactersMax = 255;

/** The client's own metadata takes precedence. */
export function originOf(headers: Headers): Metadata {
	const given = cleanTexts(headers.get(header)?.trim() ?? "");
	return typeof given === "string" && given !== "" ? { [key]: given.slice(0, charactersMax) } : {};
}
