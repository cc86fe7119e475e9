/** Rich text: RTF as word processors and notepads of all ages write it. */

import { rtfSignatures } from "../../formats/rtf/signatures.ts";
import { bytesInput, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-rtf", {
	name: "rtf",
	signatures: rtfSignatures,
	engine: new URL("../../formats/rtf/engine.ts", import.meta.url),
	input: bytesInput,
});
