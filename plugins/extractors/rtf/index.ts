/** Rich text: RTF as word processors and notepads of all ages write it. */

import { rtfSigns } from "../../formats/rtf/signs.ts";
import { bytesInput, sandboxedExtractors } from "../read-in-sandbox.ts";

export default sandboxedExtractors("extractor-rtf", {
	name: "rtf",
	signs: rtfSigns,
	engine: new URL("../../formats/rtf/engine.ts", import.meta.url),
	input: bytesInput,
});
