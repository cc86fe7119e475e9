/** How many notes of one kilobyte go from accepted to done in a second, while their client shares the two cores. */

import { loopRow, type Measure } from "./measure.ts";
import { judged, told } from "./row.ts";

const perSecondMin = 300;

export const ingest: Measure = async ({ library }) => {
	const { notes, acceptedMs, doneMs, dreamtMs, loop, loopWhileDreaming } = (await library()).ingestion;
	const perSecond = (notes / doneMs) * 1_000;
	return [
		judged(`accepted → done, ${notes} notes over 16 connections`, `${Math.round(perSecond)} documents/s`, `≥ ${perSecondMin}/s`, perSecond >= perSecondMin),
		told("of these, accepted", `${Math.round((notes / acceptedMs) * 1_000)} documents/s`),
		told("processor time of the server", `${(loop.processCpuMs / notes).toFixed(1)} ms a document`),
		told("memories drawn, after all are done", `${Math.round((notes / dreamtMs) * 1_000)} documents/s`),
		loopRow("while ingesting", loop),
		loopRow("while memories are drawn", loopWhileDreaming),
		told("memory held after that", `${Math.round(loopWhileDreaming.residentMb)} MB`),
	];
};
