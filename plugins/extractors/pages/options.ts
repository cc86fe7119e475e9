/** What scans are written in, as an operator says it, and the models that read it. */

import { z } from "zod";
import { findModels, type OcrModel } from "../../formats/ocr/ocr-models.ts";

export const options = z.strictObject({
	/** A folder with further Tesseract models, `deu.traineddata` say, for scans that are not in English. */
	data: z.string().min(1).optional(),
	/** What scans are written in, as Tesseract calls it, the most usual first; without it English and all that the folder has. */
	languages: z.array(z.string().min(1)).min(1).max(20).optional(),
});

/** @throws PLUGIN_OPTIONS_INVALID that names the language without a model. */
export function modelsOf({ data, languages }: z.output<typeof options>): readonly OcrModel[] {
	return findModels({ languages: languages ?? null, folder: data ?? null });
}
