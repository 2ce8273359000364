"""Reads a calendar from standard input as python3-icalendar does, and prints its events as JSON."""

import json
import sys

from icalendar import Calendar


def wall(value):
    """What clocks show, with the name of their zone; a day for what lasts whole days."""
    time = value.dt
    return time.isoformat() if not hasattr(time, "hour") else time.strftime("%Y-%m-%dT%H:%M")


def text(event, name):
    return str(event[name]) if name in event else None


calendar = Calendar.from_ical(sys.stdin.buffer.read())
print(
    json.dumps(
        [
            {
                "uid": text(event, "UID"),
                "sequence": int(event["SEQUENCE"]),
                "starts": wall(event["DTSTART"]),
                "zone": event["DTSTART"].params.get("TZID"),
                "title": text(event, "SUMMARY"),
                "text": text(event, "DESCRIPTION"),
                "place": text(event, "LOCATION"),
            }
            for event in calendar.walk("VEVENT")
        ]
    )
)
