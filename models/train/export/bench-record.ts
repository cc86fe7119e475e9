/** What the benchmark of an embedder found, as it is kept in a file. */

import { z } from "zod";

const figures = z.object({ name: z.string(), gain: z.number(), recall: z.number() });

/** The last of the collections is called `mean`. */
export const benchRecord = z.object({ space: z.string(), collections: z.array(figures) });
export type BenchRecord = z.infer<typeof benchRecord>;
