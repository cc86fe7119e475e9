/** Core's port for telling what bytes or a text are. */

import type { MediaTypes } from "../../core/ports/media-types.ts";
import { detectMediaType } from "./detect-media-type.ts";
import { detectTextType } from "./detect-text-type.ts";

export const mediaTypes: MediaTypes = {
	ofBytes: (head, fileName, claimed) => detectMediaType({ head, fileName, claimed }),
	ofText: detectTextType,
};
