/** JSON Graph Format, version 2, as https://jsongraphformat.info describes one graph: nothing is allowed that it does not name. */

import { Type } from "@sinclair/typebox";

const only = { additionalProperties: false } as const;
const metadata = Type.Optional(Type.Record(Type.String(), Type.Unknown()));
const label = Type.Optional(Type.String());
const id = Type.Optional(Type.String());
const directed = Type.Optional(Type.Boolean());

const node = Type.Object({ label, metadata }, only);

const edge = Type.Object({ id, source: Type.String(), target: Type.String(), relation: Type.Optional(Type.String()), directed, label, metadata }, only);

export const jsonGraph = Type.Object(
	{
		graph: Type.Object(
			{
				id,
				label,
				directed,
				type: Type.Optional(Type.String()),
				metadata,
				nodes: Type.Optional(Type.Record(Type.String(), node)),
				edges: Type.Optional(Type.Array(edge)),
			},
			only,
		),
	},
	only,
);
