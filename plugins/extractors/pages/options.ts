/** Options for OCR: the languages of scans, and the folder of models. */

import { z } from "zod";
import { findModels, type OcrModel } from "../../formats/ocr/ocr-models.ts";

export const options = z.strictObject({
	/** A folder with Tesseract models in addition to English, such as `deu.traineddata`. */
	data: z.string().min(1).optional(),
	/** Languages of scans by Tesseract's codes, the most common first. The default is English and all models in the folder. */
	languages: z.array(z.string().min(1)).min(1).max(20).optional(),
});

/** @throws PLUGIN_OPTIONS_INVALID for a language without a model. */
export function modelsOf({ data, languages }: z.output<typeof options>): readonly OcrModel[] {
	return findModels({ languages: languages ?? null, folder: data ?? null });
}
