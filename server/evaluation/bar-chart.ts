/** Groups of bars as one SVG picture that needs nothing else: no font, no script, no request. */

export interface Bars {
	readonly title: string;
	/** Names of the bars in each group. */
	readonly series: readonly string[];
	/** Values from 0 to 1, in the order of the series. */
	readonly groups: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const height = 300;
const margin = { left: 44, right: 12, top: 34, bottom: 30 } as const;
const barWidth = 14;
const groupGap = 22;
const legendLine = 18;
/** Colours that colour-blind people can distinguish too, after Okabe & Ito. */
export const colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000"] as const;

export function barChart({ title, series, groups }: Bars): string {
	const groupWidth = Math.max(series.length * barWidth, 70);
	const width = Math.max(360, margin.left + margin.right + groups.length * (groupWidth + groupGap));
	const floor = margin.top + height;
	const bars = groups.flatMap(({ name, values }, at) => {
		const left = margin.left + groupGap / 2 + at * (groupWidth + groupGap);
		const middle = left + groupWidth / 2;
		return [...values.map((value, i) => bar(left + i * barWidth, floor, value, i)), text(middle, floor + 18, name, "middle")];
	});
	const legend = series.map((name, i) => {
		const y = floor + margin.bottom + i * legendLine;
		return `<rect x="${margin.left}" y="${y}" width="12" height="12" fill="${colourOf(i)}"/>${text(margin.left + 18, y + 10, name, "start")}`;
	});
	const whole = floor + margin.bottom + series.length * legendLine + 8;
	return picture(title, width, whole, [...grid(width, floor), ...bars, ...legend]);
}

/** A white ground, so that it can be read wherever it is shown. */
export function picture(title: string, width: number, whole: number, parts: readonly string[]): string {
	const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="0 0 ${width} ${whole}" font-family="sans-serif" font-size="12">`;
	const ground = `<rect width="${width}" height="${whole}" fill="#fff"/>`;
	return [head, `<title>${escaped(title)}</title>`, ground, text(width / 2, 20, title, "middle"), ...parts, "</svg>", ""].join("\n");
}

export function text(x: number, y: number, words: string, anchor: "start" | "middle" | "end"): string {
	return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

export function colourOf(i: number): string {
	return colours[i % colours.length] ?? colours[0];
}

function bar(x: number, floor: number, value: number, i: number): string {
	const tall = Math.min(1, Math.max(0, value)) * height;
	return `<rect x="${round(x)}" y="${round(floor - tall)}" width="${barWidth - 2}" height="${round(tall)}" fill="${colourOf(i)}"/>`;
}

function grid(width: number, floor: number): readonly string[] {
	return [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => {
		const y = round(floor - value * height);
		return `<line x1="${margin.left}" y1="${y}" x2="${width - margin.right}" y2="${y}" stroke="#ddd"/>${text(margin.left - 6, y + 4, `${value * 100}`, "end")}`;
	});
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}

function escaped(words: string): string {
	return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
