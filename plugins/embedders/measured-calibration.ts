/**
 * Measures the calibration of a model once and stores it. Models differ: unrelated texts have a cosine of 0.05 with one family of
 * models and of 0.75 with another.
 */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Calibration, cosine, type Host, type Vector } from "cairn-memory";
import { z } from "zod";

/** Questions, each with the passage that answers it; all other passages are unrelated to it. Written for this measurement. */
const pairs: readonly (readonly [question: string, passage: string])[] = [
	["When does the last ferry leave?", "In winter the last boat to the island departs from the harbour at five in the evening."],
	["How do I reset my password?", "To choose a new password open the account page and follow the link that is sent by mail."],
	["Who wrote the annual report?", "The report for last year was put together by Maria Olsen of the finance department."],
	["What does the plant need to grow?", "Basil likes a warm place with plenty of light and soil that never dries out."],
	["Why was the meeting moved?", "Because half of the team was ill, the discussion has been put off until Thursday."],
	["How much does the subscription cost?", "Each seat is billed at nine euros a month, and less for whoever pays for a year."],
	["Where did Ana study medicine?", "Ana took her degree as a doctor at the university of Bergen."],
	["Which database do we use?", "All services keep their data in PostgreSQL, with a replica for reporting."],
	["What caused the outage?", "The servers went down after a certificate had expired during the night."],
	["How long should the bread bake?", "Leave the loaf in the oven for forty minutes until its crust is golden."],
	["Is the museum open on Mondays?", "The gallery welcomes visitors from Tuesday to Sunday and is closed on Mondays."],
	["What is the capital of Mongolia?", "Ulaanbaatar, the seat of the Mongolian government, lies on the river Tuul."],
];

/** Nine in ten unrelated pairs have a cosine of at most `unrelated`; a quarter of the questions and their answers have one of at least `related`. */
const unrelatedQuantile = 0.9;
const relatedQuantile = 0.75;
/** A measurement with a smaller gap between the two cosines is not used. */
const gapMin = 0.02;

const storedCalibration = z.object({ unrelated: z.number().min(-1).max(1), related: z.number().min(-1).max(1), weight: z.number().min(0).max(1) });

export interface MeasuredCalibration {
	/** The measured calibration, or the default until it is measured. */
	readonly current: () => Calibration;
	/** Measures the calibration unless it is known. It never throws: if it fails, the default is used. */
	readonly measureOnce: (embed: (texts: readonly string[], purpose: "document" | "query") => Promise<readonly Vector[]>) => Promise<void>;
}

/** @param name of the embedding space; every space has its own calibration. */
export async function measuredCalibration(name: string, defaultCalibration: Calibration, host: Pick<Host, "folder" | "log">): Promise<MeasuredCalibration> {
	const file = join(host.folder, `calibration-${name.replaceAll(/[^a-z0-9.-]/gi, "-")}.json`);
	let known = await load(file);
	let measuring: Promise<void> | null = null;

	const measure: MeasuredCalibration["measureOnce"] = async (embed) => {
		try {
			const questions = await embed(
				pairs.map(([question]) => question),
				"query",
			);
			const passages = await embed(
				pairs.map(([, passage]) => passage),
				"document",
			);
			known = calibrationOf(questions, passages) ?? defaultCalibration;
			host.log("info", "the calibration of a model was measured", { space: name, ...known });
			await save(file, known);
		} catch (thrown) {
			host.log("warn", "the calibration of a model could not be measured or stored", { space: name, reason: String(thrown) });
		}
	};

	return {
		current: () => known ?? defaultCalibration,
		measureOnce: (embed) => {
			if (known !== null) return Promise.resolve();
			measuring ??= measure(embed).finally(() => {
				measuring = null;
			});
			return measuring;
		},
	};
}

export function calibrationOf(questions: readonly Vector[], passages: readonly Vector[]): Calibration | null {
	const unrelatedCosines: number[] = [];
	const answerCosines: number[] = [];
	for (const [i, question] of questions.entries()) {
		for (const [j, passage] of passages.entries()) (i === j ? answerCosines : unrelatedCosines).push(cosine(question, passage));
	}
	const [unrelated, related] = [quantile(unrelatedCosines, unrelatedQuantile), quantile(answerCosines, relatedQuantile)];
	return related - unrelated < gapMin ? null : { unrelated, related, weight: 1 };
}

function quantile(values: readonly number[], share: number): number {
	const value = values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
	return Math.round(value * 10_000) / 10_000;
}

async function load(file: string): Promise<Calibration | null> {
	try {
		return storedCalibration.parse(JSON.parse(await readFile(file, "utf8")));
	} catch {
		return null;
	}
}

/** Two threads may write at once: each writes a temporary file, and the last rename wins. */
async function save(file: string, calibration: Calibration): Promise<void> {
	const temporary = `${file}.${crypto.randomUUID()}`;
	await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
	await writeFile(temporary, JSON.stringify(calibration));
	await rename(temporary, file);
}
