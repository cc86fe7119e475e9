/** What an operator may choose about the memories that the rules extract. */

import { z } from "zod";

export const options = z.strictObject({
	/** The most memories from one chunk of long prose. A chunk has about seven sentences. */
	prosePerChunkMax: z.number().int().min(0).max(50).default(6),
	/** The name of the author of notes that are written in the first person without a name. */
	narrator: z.string().trim().min(1).max(60).default("User"),
});

export type Options = z.output<typeof options>;
