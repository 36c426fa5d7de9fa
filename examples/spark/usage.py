"""Counts audit logs with aggctl on Spark: every partition is a part, and the parts are added up.

    spark-submit usage.py --dump dump.tar.gz --by apiservice,client 'audit/*.log'

aggctl and the dump must be at the same place on every worker (spark-submit --files brings them
there). What it prints is what one run over all logs prints.
"""

import argparse
import shlex
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+", help="what Spark reads as text, one event a line")
    parser.add_argument("--aggctl", default="aggctl", help="the binary, on every worker")
    parser.add_argument("--dump", help="a dump of the cluster, on every worker")
    parser.add_argument("--by", default="apiservice")
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("-o", "--output", default="table")
    arguments = parser.parse_args()

    count = [arguments.aggctl, "usage", "--partial", "-", "--by", arguments.by]
    count += ["--dump", arguments.dump] if arguments.dump else ["--builtin"]
    spark = SparkSession.builder.appName("aggctl usage").getOrCreate()
    lines = spark.sparkContext.textFile(",".join(arguments.logs), arguments.partitions)
    parts = lines.pipe(shlex.join(count), checkCode=True).collect()
    spark.stop()

    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join(parts))
        file.flush()
        merge = [arguments.aggctl, "usage", "--merge", file.name, "-o", arguments.output]
        return subprocess.run(merge, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
