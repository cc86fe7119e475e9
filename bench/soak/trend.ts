/** A line through measured values, and whether they grow: more than chance explains, and more than is allowed. */

export interface Point {
	readonly hours: number;
	readonly value: number;
}

export interface Trend {
	readonly mean: number;
	readonly perHour: number;
	/** Twice the standard error of `perHour`: chance alone exceeds it in one of twenty runs. */
	readonly noisePerHour: number;
	/** How far the values lie from the line, as a standard deviation. */
	readonly scatter: number;
}

/** Values of neighbouring samples are alike, so that they say less than their number promises. Means of this many stretches are nearly independent. */
const stretches = 16;

/** @throws if there are too few values for a statement */
export function trendOf(points: readonly Point[]): Trend {
	if (points.length < 2 * stretches) throw new Error(`a trend needs ${2 * stretches} samples; there are ${points.length}`);
	const means = Array.from({ length: stretches }, (_, i) => meanPoint(points.slice(...boundsOf(i, points.length))));
	const centre = meanPoint(means);
	const spread = sum(means.map(({ hours }) => (hours - centre.hours) ** 2));
	const perHour = sum(means.map(({ hours, value }) => (hours - centre.hours) * (value - centre.value))) / spread;
	const distance = ({ hours, value }: Point) => value - centre.value - perHour * (hours - centre.hours);
	const variance = sum(means.map((point) => distance(point) ** 2)) / (stretches - 2);
	return {
		mean: centre.value,
		perHour,
		noisePerHour: 2 * Math.sqrt(variance / spread),
		scatter: Math.sqrt(sum(points.map((point) => distance(point) ** 2)) / points.length),
	};
}

/** @param allowedPerHour what may be added in an hour without counting as growth */
export function grows({ perHour, noisePerHour }: Trend, allowedPerHour: number): boolean {
	return perHour > noisePerHour && perHour > allowedPerHour;
}

/** Whether the values scatter too much to say that they do not grow: more minutes are needed. */
export function isUnsure({ perHour, noisePerHour }: Trend, allowedPerHour: number): boolean {
	return perHour + noisePerHour > allowedPerHour;
}

function boundsOf(stretch: number, count: number): [from: number, to: number] {
	return [Math.round((stretch * count) / stretches), Math.round(((stretch + 1) * count) / stretches)];
}

function meanPoint(points: readonly Point[]): Point {
	return { hours: sum(points.map(({ hours }) => hours)) / points.length, value: sum(points.map(({ value }) => value)) / points.length };
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
