/** Rich text (RTF) of old and new word processors and editors. */

import { rtfSignatures } from "../../formats/rtf/signatures.ts";
import { bytesInput, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-rtf", {
	name: "rtf",
	signatures: rtfSignatures,
	engine: new URL("../../formats/rtf/engine.ts", import.meta.url),
	input: bytesInput,
});
