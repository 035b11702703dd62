package io.github.idem.tool;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** A {@link WorkerApplication} in a JVM of its own, as its parent sees it. */
final class Worker implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private final List<String> seen = new ArrayList<>();

	Worker(String what, int operations, String url) throws IOException {
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), "-Xmx256m", "-XX:TieredStopAtLevel=1",
				WorkerApplication.class.getName(), what, Integer.toString(operations), url)
			.redirectErrorStream(true)
			.start();
		this.output = new BufferedReader(new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
	}

	/** Read on until the worker says so. */
	Worker await(String line) {
		try {
			for (String next = this.output.readLine(); next != null; next = this.output.readLine()) {
				this.seen.add(next);
				if (next.equals(line)) {
					return this;
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		throw new AssertionError("the worker ended without saying '" + line + "':\n" + String.join("\n", this.seen));
	}

	Worker go() throws IOException {
		this.process.getOutputStream().write('\n');
		this.process.getOutputStream().flush();
		return this;
	}

	/** End the process at once, as a power cut would. */
	void kill() throws InterruptedException {
		this.process.destroyForcibly();
		assertThat(this.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
