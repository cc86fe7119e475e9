/** `/v3/server`: what the server runs on, and the switch to another embedder. */

import type { Machine } from "../../machine.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { parseUseEmbedder, toServer, useEmbedderBody } from "../../wire/v3/organisation/machine.ts";
import { operatorAccess, operatorReadAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Settings");

export function machineRoutes(machine: Machine): readonly Operation[] {
	return [
		operation(
			"GET /v3/server",
			{
				access: operatorReadAccess,
				summary: "Read what the server runs on",
				description: "Its version, its embedder and how far a switch to another one is, and the space that its data takes. For operators.",
				operationId: "getServer",
				responses: { 200: "Server" },
				errors: [],
			},
			async () => toServer(await machine.state()),
		),
		operation(
			"PUT /v3/server/embedder",
			{
				access: operatorAccess,
				summary: "Switch to another embedder",
				description:
					"For all data of the server. The vectors are computed in the background, and searches use the old ones until then; `GET /v3/server` reports the progress. The same as `cairn embedder use`. For operators.",
				operationId: "useEmbedder",
				body: useEmbedderBody,
				example: { use: "hashing" },
				responses: { 202: "Server" },
				errors: ["INPUT_INVALID", "PLUGIN_MISSING"],
			},
			async ({ request }) => toServer(await machine.useEmbedder(parseUseEmbedder(await readJson(request)))),
		),
	];
}
