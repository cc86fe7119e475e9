/**
 * Measures the calibration of a model, once, and stores it. Models differ: unrelated texts have a cosine of 0.05 in one family of
 * models, and of 0.75 in another.
 */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Calibration, cosine, type Host, type Vector } from "cairn-memory";
import { z } from "zod";

/** Questions with the passage that answers each; every other passage is unrelated to it. Written for this. */
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

/** Quantiles: nine of ten unrelated pairs are below the first, one of four answers is above the second, as in the measurements on collections. */
const strangersBelow = 0.9;
const answersBelow = 0.75;
/** With a smaller gap between the two the measurement is not used. */
const leastGap = 0.02;

const kept = z.object({ unrelated: z.number().min(-1).max(1), related: z.number().min(-1).max(1), weight: z.number().min(0).max(1) });

export interface MeasuredCalibration {
	/** The measured calibration, or the presumed one before. */
	readonly current: () => Calibration;
	/** Measures it unless it is known. Never throws: where it fails, the presumed one is used. */
	readonly settle: (embed: (texts: readonly string[], purpose: "document" | "query") => Promise<readonly Vector[]>) => Promise<void>;
}

/** @param name of the vector space: another one has another calibration. */
export async function measuredCalibration(name: string, presumed: Calibration, host: Pick<Host, "folder" | "log">): Promise<MeasuredCalibration> {
	const file = join(host.folder, `calibration-${name.replaceAll(/[^a-z0-9.-]/gi, "-")}.json`);
	let known = await load(file);
	let measuring: Promise<void> | null = null;

	const measure: MeasuredCalibration["settle"] = async (embed) => {
		try {
			const questions = await embed(
				pairs.map(([question]) => question),
				"query",
			);
			const passages = await embed(
				pairs.map(([, passage]) => passage),
				"document",
			);
			known = calibrationOf(questions, passages) ?? presumed;
			host.log("info", "the calibration of a model was measured", { space: name, ...known });
			await keep(file, known);
		} catch (thrown) {
			host.log("warn", "the calibration of a model could not be measured or kept", { space: name, reason: String(thrown) });
		}
	};

	return {
		current: () => known ?? presumed,
		settle: (embed) => {
			if (known !== null) return Promise.resolve();
			measuring ??= measure(embed).finally(() => {
				measuring = null;
			});
			return measuring;
		},
	};
}

export function calibrationOf(questions: readonly Vector[], passages: readonly Vector[]): Calibration | null {
	const strangers: number[] = [];
	const answers: number[] = [];
	for (const [i, question] of questions.entries()) {
		for (const [j, passage] of passages.entries()) (i === j ? answers : strangers).push(cosine(question, passage));
	}
	const [unrelated, related] = [quantile(strangers, strangersBelow), quantile(answers, answersBelow)];
	return related - unrelated < leastGap ? null : { unrelated, related, weight: 1 };
}

function quantile(values: readonly number[], share: number): number {
	const value = values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
	return Math.round(value * 10_000) / 10_000;
}

async function load(file: string): Promise<Calibration | null> {
	try {
		return kept.parse(JSON.parse(await readFile(file, "utf8")));
	} catch {
		return null;
	}
}

/** Two threads may write at once: each writes its own file, and the last rename wins. */
async function keep(file: string, calibration: Calibration): Promise<void> {
	const part = `${file}.${crypto.randomUUID()}`;
	await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
	await writeFile(part, JSON.stringify(calibration));
	await rename(part, file);
}
