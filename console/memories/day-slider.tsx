/** Goes through the days of a container: what was known at the end of each. */

import { useEffect, useId, useState } from "react";

const dayMs = 86_400_000;
/** A container that is new, or whose beginning is not known, has a month to go through all the same. */
const daysMin = 30;
/** While it is dragged nothing is asked for. */
const restMs = 250;
const inWords = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

interface DaySliderProps {
	/** When the container began, where the key may know it. */
	readonly since: string | undefined;
	/** `2026-03-04`; empty for today. */
	readonly day: string;
	readonly onChange: (day: string) => void;
}

export function DaySlider({ since, day, onChange }: DaySliderProps) {
	const days = Math.max(daysMin, since === undefined ? 0 : Math.ceil((Date.now() - Date.parse(since)) / dayMs) + 1);
	const given = day === "" ? 0 : Math.round((noonOf(dayBefore(0)) - noonOf(day)) / dayMs);
	const [back, setBack] = useState(given);
	useEffect(() => setBack(given), [given]);
	useEffect(() => {
		if (back === given) return;
		const timer = setTimeout(() => onChange(back === 0 ? "" : dayBefore(back)), restMs);
		return () => clearTimeout(timer);
	}, [back, given, onChange]);
	const id = useId();
	const words = back === 0 ? "today" : inWords.format(noonOf(dayBefore(back)));
	return (
		<div className="day-slider">
			<label htmlFor={id}>Go back in time</label>
			<input
				id={id}
				type="range"
				min={-days}
				max={0}
				value={-Math.min(back, days)}
				aria-valuetext={words}
				onChange={({ target }) => setBack(-Number(target.value))}
			/>
			<span className="hint">{words}</span>
		</div>
	);
}

/** By the calendar of this place. */
function dayBefore(back: number): string {
	const date = new Date();
	date.setDate(date.getDate() - back);
	return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;
}

function noonOf(day: string): number {
	return Date.parse(`${day}T12:00`);
}

/** The end of a day, by the clock of this place. Null for today and later: that is what is known now. */
export function endOf(day: string): string | null {
	const end = new Date(`${day}T23:59:59.999`);
	return Number.isNaN(end.getTime()) || end.getTime() >= Date.now() ? null : end.toISOString();
}
