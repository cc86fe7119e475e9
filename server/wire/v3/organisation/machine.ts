/** `/v3/server`: what the server runs on, and the request for another embedder. */

import { Type } from "@sinclair/typebox";
import type { MachineState } from "../../../machine.ts";
import { version } from "../../../version.ts";
import { reader } from "../../requests/reader.ts";

export const useEmbedderBody = Type.Object({
	use: Type.String({ minLength: 1, maxLength: 200, description: "The name of an embedder, one of `known`.", examples: ["hashing"] }),
});

const read = reader(useEmbedderBody);

/** @throws ServiceError `INPUT_INVALID` */
export function parseUseEmbedder(raw: unknown): string {
	return read(raw).use;
}

const bytes = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
const nameOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const serverSchema = Type.Object(
	{
		version: Type.String(),
		embedder: Type.Object({
			active: Type.String({ description: "The embedder whose vectors answer searches." }),
			configured: Type.String({ description: "The embedder in the settings of the server." }),
			requested: Type.String({ description: "The embedder that was asked for last. Searches use it once its vectors are computed." }),
			next: Type.Union([Type.Object({ name: Type.String(), written: Type.Integer(), share: Type.Number() }), Type.Null()], {
				description: "The embedder whose vectors are being computed, how many there are, and their share of all, from 0 to 1.",
			}),
			previous: nameOrNull("The embedder before, whose vectors are still there."),
			known: Type.Array(Type.String(), { description: "All embedders of this server." }),
		}),
		storage: Type.Object({
			databaseBytes: bytes("The size of the database; null where the storage does not know."),
			fileBytes: bytes("The size of the original files, as of the last maintenance; null before it."),
			filesKeptBecause: nameOrNull("Why original files of no document are not removed, such as files that another server stored; null if they are."),
		}),
	},
	{ $id: "Server" },
);

export function toServer({ embedder, storage }: MachineState) {
	const { active, configured, requested, next, previous, known } = embedder;
	return { version, embedder: { active, configured, requested, next, previous, known }, storage };
}
