package io.github.idem.jdbc;

import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Threads that nobody interrupts. An H2 file is closed, for the whole process, under a
 * thread that is interrupted while it writes to it; and those who cancel a call interrupt
 * its thread whenever they like. The caller waits, whatever becomes of it meanwhile.
 */
final class UninterruptedThreads {

	private static final long IDLE_SECONDS = 10;

	private final ExecutorService threads = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (work) -> {
				Thread thread = new Thread(work, "idem-store");
				thread.setDaemon(true);
				return thread;
			});

	/**
	 * Do something there.
	 * @return what it gave; if this thread was interrupted it still is
	 * @throws SQLException what it failed with, as is any unchecked exception
	 */
	<T extends @Nullable Object> T call(Callable<T> work) throws SQLException {
		Future<T> result = this.threads.submit(work);
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return result.get();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (ExecutionException ex) {
			throw rethrown(ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static SQLException rethrown(ExecutionException ex) {
		Throwable cause = ex.getCause();
		if (cause instanceof RuntimeException unchecked) {
			throw unchecked;
		}
		if (cause instanceof Error error) {
			throw error;
		}
		return (cause instanceof SQLException failure) ? failure : new SQLException(cause);
	}

}
