/** Converts `temporalContext`: an object in requests and responses, two flat metadata fields in core, so that filters can use them. */

import { type Static, Type } from "@sinclair/typebox";
import { documentDateKey as documentDate, eventDateKey as eventDate } from "../../../core/memories/temporal.ts";
import type { Metadata } from "../../../core/model/metadata.ts";

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
	Type.Union([schema, Type.Null()], { description });

export const temporalContext = Type.Object(
	{
		documentDate: Type.Optional(nullable(Type.String({ maxLength: 100 }), "The day it was written.")),
		eventDate: Type.Optional(nullable(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 }), "The days of the events in it.")),
	},
	{ description: "When it was written, and when the events in it happened." },
);

export function fromTemporal(context: Static<typeof temporalContext> | undefined): Metadata {
	return {
		...(context?.documentDate == null ? {} : { [documentDate]: context.documentDate }),
		...(context?.eventDate == null ? {} : { [eventDate]: context.eventDate }),
	};
}

/** The metadata as sent to clients; null when there are none. */
export function toWireMetadata(metadata: Metadata): Record<string, unknown> | null {
	const { [documentDate]: date, [eventDate]: events, ...rest } = metadata;
	const temporal = toTemporal(metadata);
	const all = temporal === null ? rest : { ...rest, temporalContext: temporal };
	return Object.keys(all).length === 0 ? null : all;
}

export function toTemporal({ [documentDate]: date, [eventDate]: events }: Metadata): Record<string, unknown> | null {
	if (date === undefined && events === undefined) return null;
	return { documentDate: date ?? null, eventDate: events ?? null };
}
