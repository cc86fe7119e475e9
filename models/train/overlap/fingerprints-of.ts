/** What evaluations hold, as fingerprints to compare training texts with. No folders, and nothing is shared. */

import { encodeText } from "../data/encode-text.ts";
import type { Lexicon } from "../data/lexicon.ts";
import { createFingerprints, type Fingerprints } from "./fingerprints.ts";
import { readEvaluation } from "./read-evaluation.ts";

export async function fingerprintsOf(folders: readonly string[], lexicon: Lexicon): Promise<Fingerprints> {
	const fingerprints = createFingerprints(lexicon);
	for await (const text of readEvaluation(folders)) fingerprints.add(encodeText(text, lexicon));
	return fingerprints;
}
